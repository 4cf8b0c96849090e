-- Outcomes of renewals, oldest first: what became of a contract, who recorded it and when.
-- Rolling deploys: processes of the previous version leave the column as it is.

alter table accounts add column renewals jsonb not null default '[]';
