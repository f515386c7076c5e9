ALTER TABLE alarms ADD COLUMN IF NOT EXISTS verdict LowCardinality(Nullable(String)) COMMENT 'judge or traffic' AFTER after;
