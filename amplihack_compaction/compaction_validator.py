"""The validator of compactions under the original's module name."""

from amplihack_compaction.validation.events import CompactionContext as CompactionContext
from amplihack_compaction.validation.events import ValidationResult as ValidationResult
from amplihack_compaction.validation.validator import CompactionValidator as CompactionValidator
