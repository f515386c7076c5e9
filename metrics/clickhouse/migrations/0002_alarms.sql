-- An alarm says what it is about and on which evidence. One that the pairs no longer give, because evaluations came
-- late or were superseded, is written again as withdrawn.
ALTER TABLE alarms ADD COLUMN IF NOT EXISTS system_id LowCardinality(String) DEFAULT '' AFTER model;
ALTER TABLE alarms ADD COLUMN IF NOT EXISTS previous_epoch LowCardinality(Nullable(String)) AFTER epoch;
ALTER TABLE alarms ADD COLUMN IF NOT EXISTS transcript_id String DEFAULT '' AFTER raised_at;
ALTER TABLE alarms ADD COLUMN IF NOT EXISTS before Nullable(Float64) COMMENT 'mean flip fraction' AFTER evidence;
ALTER TABLE alarms ADD COLUMN IF NOT EXISTS after Nullable(Float64) COMMENT 'mean flip fraction' AFTER before;
ALTER TABLE alarms ADD COLUMN IF NOT EXISTS withdrawn Bool DEFAULT false AFTER details;

ALTER TABLE deployments ADD COLUMN IF NOT EXISTS served_model LowCardinality(Nullable(String)) AFTER model;
ALTER TABLE deployments ADD COLUMN IF NOT EXISTS previous_model LowCardinality(Nullable(String)) AFTER served_model;
