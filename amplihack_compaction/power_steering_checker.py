"""Power steering under the original's module name."""

from amplihack_compaction.validation.power_steering import (
    PowerSteeringChecker as PowerSteeringChecker,
)
