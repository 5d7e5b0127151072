"""Latent cross: a network whose last layer is multiplied with a vector of the user's context."""

from truerank.models.ncf import FACTS, PointwiseNetwork
from truerank.registry import MODELS


@MODELS.register("lc_nn", **FACTS)
class LCNN(PointwiseNetwork):
    r"""Predict the rating as the product of a hidden vector of user and item and a vector of the user's context.

    .. math:: \hat r_{ui} = \phi_L(\cdots \phi_1([p_u \,;\, q_i]))^\top (C x_u + c) + b

    Everything else is as in ``ncf``; with ``context: false`` the second vector is c, the same for everybody.

    Aftab & Ramampiaro 2022, doi:10.1109/ACCESS.2022.3159646, section IV-D, after Beutel et al. 2018,
    doi:10.1145/3159652.3159727. The sizes that they print, in section IV-E, are of their
    embedding learner, ``triplet``; with its batch, epochs and rate this model overfits, an RMSE of 0.959 with
    MovieLens 100K, ``holdout``, to 0.946 with the defaults, which are those of ``ncf``.
    """

    head = "lc_nn"
