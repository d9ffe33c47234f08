-- Mails with a way back are counted as they are written. To count what was asked for would let anybody who asks often enough
-- keep the mail from its owner for good.
alter table recovery_requests add column mailed_at timestamptz;
grant update (mailed_at) on recovery_requests to megalot_app;
