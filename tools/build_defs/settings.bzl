"""Settings of our own that `select` can ask for: `--//PACKAGE:NAME` sets one on the command line."""

def _impl(_ctx):
    return []

_bool_setting = rule(
    implementation = _impl,
    build_setting = config.bool(flag = True),
)

def attnres_bool_setting(name, **kwargs):
    """A setting that is off unless its flag is given, and a config_setting `NAME_on`.

    Args:
      name: the setting's name.
      **kwargs: common attributes of both (visibility).
    """
    bool_setting(name = name, default = False, **kwargs)

def bool_setting(name, default, **kwargs):
    """attnres_bool_setting with a default; for BUILD files that repository rules write."""
    _bool_setting(
        name = name,
        build_setting_default = default,
        **kwargs
    )
    native.config_setting(
        name = name + "_on",
        flag_values = {":" + name: "True"},
        **kwargs
    )
