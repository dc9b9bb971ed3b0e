"""The version of the project: of the wheel, of attnres.__version__ and of what else names one."""

VERSION = "0.1.0"
