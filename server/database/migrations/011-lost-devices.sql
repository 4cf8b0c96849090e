-- Devices that were reported lost. Rolling deploys: processes of the previous version continue to work and treat
-- these sessions as ended.

-- When the user reported the device of this session as lost.
alter table token_families add column lost_at timestamptz(3);
-- When that device deleted its data, and how many unsent changes wait on it.
alter table token_families add column cleared_at timestamptz(3);
alter table token_families add column unsent integer;
