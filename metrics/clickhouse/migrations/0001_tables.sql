-- An evaluation is one row for each content that was ever written under its id; read with FINAL, the largest version
-- counts. FINAL doesn't reach across partitions, so there are none, and the whole ORDER BY is the key of a row, so
-- every column in it follows from the id.
CREATE TABLE IF NOT EXISTS evaluations
(
    evaluation_id String,
    transcript_id String,
    transcript_hash String,
    received_at Nullable(DateTime64(6, 'UTC')),
    row LowCardinality(String),
    attribute LowCardinality(String),
    draw UInt32,
    repeat UInt32,
    system_id LowCardinality(String),
    provider LowCardinality(String),
    model LowCardinality(String),
    served_model LowCardinality(Nullable(String)),
    epoch LowCardinality(String),
    occurred_at Nullable(DateTime64(6, 'UTC')),
    evaluated_at Nullable(DateTime64(6, 'UTC')),
    outcome LowCardinality(String),
    question_ids Array(LowCardinality(String)),
    answers Array(LowCardinality(Nullable(String))),
    confidences Array(Nullable(Float64)),
    positive_score Nullable(Float64),
    improvement_score Nullable(Float64),
    domain LowCardinality(Nullable(String)),
    channel LowCardinality(Nullable(String)),
    language LowCardinality(Nullable(String)),
    input_tokens Nullable(Int64),
    cached_tokens Nullable(Int64),
    output_tokens Nullable(Int64),
    reasoning_tokens Nullable(Int64),
    latency_seconds Nullable(Float64),
    attempts Nullable(Int64),
    record String CODEC(ZSTD(3)) COMMENT 'the whole evaluation as JSON, without model text unless that is kept',
    version UInt128,
    stored_at DateTime('UTC') DEFAULT now()
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (transcript_id, evaluation_id);

-- One row for each pair of arms, with lists over its questions. A pair whose evaluations were superseded is written
-- again with is_deleted = 1 and FINAL leaves it out.
CREATE TABLE IF NOT EXISTS pairs
(
    pair_id String,
    evaluation_a String,
    evaluation_b String,
    transcript_id String,
    transcript_hash String,
    received_at Nullable(DateTime64(6, 'UTC')),
    row LowCardinality(String),
    arm_a LowCardinality(String),
    arm_b LowCardinality(String),
    repeat_a UInt32,
    repeat_b UInt32,
    kind LowCardinality(String),
    provider LowCardinality(String),
    model LowCardinality(String),
    served_model LowCardinality(Nullable(String)),
    system_id LowCardinality(String),
    epoch LowCardinality(String),
    occurred_at Nullable(DateTime64(6, 'UTC')),
    evaluated_at Nullable(DateTime64(6, 'UTC')),
    domain LowCardinality(Nullable(String)),
    channel LowCardinality(Nullable(String)),
    language LowCardinality(Nullable(String)),
    labels String COMMENT 'a JSON object',
    comparisons UInt32,
    flips UInt32,
    yes_to_no UInt32,
    no_to_yes UInt32,
    na_changes UInt32,
    confidence_difference_sum Float64,
    confidence_absolute_difference_sum Float64,
    confidence_count UInt32,
    positive_difference Nullable(Float64),
    improvement_difference Nullable(Float64),
    question_ids Array(LowCardinality(String)),
    answers_a Array(LowCardinality(String)),
    answers_b Array(LowCardinality(String)),
    confidence_differences Array(Nullable(Float64)),
    construct_relevant Array(Bool),
    rank UInt256 COMMENT 'twice the version, and one more where deleted: at one version a deletion is final',
    is_deleted UInt8 DEFAULT 0,
    stored_at DateTime('UTC') DEFAULT now()
)
ENGINE = ReplacingMergeTree(rank, is_deleted)
ORDER BY (row, transcript_id, pair_id);

-- What became of each arm before the judge saw it. The original's repeats are one row that says how many there are.
CREATE TABLE IF NOT EXISTS variants
(
    transcript_id String,
    row LowCardinality(String),
    attribute LowCardinality(String),
    draw UInt32,
    transcript_hash String,
    received_at Nullable(DateTime64(6, 'UTC')),
    occurred_at Nullable(DateTime64(6, 'UTC')),
    status LowCardinality(String),
    reason LowCardinality(Nullable(String)),
    retries UInt32,
    validator LowCardinality(Nullable(String)),
    edits UInt32,
    repeats UInt32 COMMENT 'how many evaluations of this arm are expected',
    judge LowCardinality(Nullable(String)),
    version UInt128,
    stored_at DateTime('UTC') DEFAULT now()
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (transcript_id, row, attribute, draw);

CREATE TABLE IF NOT EXISTS deployments
(
    deployment_id String,
    judge LowCardinality(String),
    provider LowCardinality(String),
    model LowCardinality(String),
    occurred_at DateTime64(6, 'UTC'),
    details String COMMENT 'a JSON object',
    stored_at DateTime('UTC') DEFAULT now()
)
ENGINE = ReplacingMergeTree
ORDER BY deployment_id;

CREATE TABLE IF NOT EXISTS alarms
(
    alarm_id String,
    kind LowCardinality(String),
    row LowCardinality(String),
    provider LowCardinality(String),
    model LowCardinality(String),
    epoch LowCardinality(String),
    raised_at DateTime64(6, 'UTC'),
    transcripts UInt64,
    evidence Float64,
    details String COMMENT 'a JSON object',
    stored_at DateTime('UTC') DEFAULT now()
)
ENGINE = ReplacingMergeTree
ORDER BY alarm_id;
