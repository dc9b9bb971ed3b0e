"""The wheel in a virtual environment with PyTorch: a part of the package's own tests of attnres.torch."""

from tests.wheel import environment, suite

SUITE = [
    "python/attnres/torch/autograd_test.py",
    "python/attnres/torch/module_test.py",
    "python/attnres/torch/state_test.py",
    "python/attnres/torch/tensors_test.py",
]
LEAST_CASES = 50


def test_own_tests_pass(tmp_path):
    installed = environment.create(tmp_path / "venv")
    assert suite.run(installed, SUITE, tmp_path) >= LEAST_CASES
