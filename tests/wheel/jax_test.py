"""The wheel in a virtual environment with JAX: the package's own tests of attnres.jax."""

from tests.wheel import environment, suite

SUITE = ["python/attnres/jax/residuals_test.py"]
LEAST_CASES = 20


def test_own_tests_pass(tmp_path):
    installed = environment.create(tmp_path / "venv")
    assert suite.run(installed, SUITE, tmp_path) >= LEAST_CASES
