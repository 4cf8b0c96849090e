-- Sign-ins by a provider, which their user can list and remove. Rolling deploys: processes of the previous version
-- continue to work. New columns are nullable or have a default.

-- Names the row in requests: the subject is the provider's.
alter table social_sign_ins add column id uuid not null default gen_random_uuid();
create unique index social_sign_ins_id on social_sign_ins (id);
-- The address and the time at which it was linked; null for links of the previous version.
alter table social_sign_ins add column email text;
alter table social_sign_ins add column created_at timestamptz(3);
