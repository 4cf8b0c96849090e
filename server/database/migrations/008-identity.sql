-- E-mail addresses that count once they are proven, sign-ins that their user can see and end, and limits.
-- Rolling deploys: processes of the previous version continue to work. New columns are nullable or have a
-- default, and that version finds no row without a user in password_resets.

-- The link that was mailed to an address to prove it: the new address of a user, or the unproven current one.
create table email_changes (
  user_id uuid primary key references users (id) on delete cascade,
  email text not null,
  token_hash bytea not null,
  expires_at timestamptz(3) not null
);
create index email_changes_token on email_changes (token_hash);

-- Without a user: the link that an unknown address was not sent, stored so that both cases take the same time.
alter table password_resets alter column user_id drop not null;
-- The former address of the user: using this link restores it.
alter table password_resets add column restored_email text;
create index password_resets_restored on password_resets (restored_email);

-- When the password was last entered, or the provider's answer received; null: when the session began.
alter table token_families add column authenticated_at timestamptz(3);
-- The browser, and the network address without its last part, for the list of sign-ins.
alter table token_families add column user_agent text;
alter table token_families add column network text;

-- An attempt counts for its account from the start, and for its network once its password was wrong.
alter table sign_in_attempts add column failed boolean not null default true;

-- What was done lately, by a hash of its kind and its subject, such as registrations from one network.
create table rate_limit_hits (
  id uuid primary key,
  subject_hash bytea not null,
  hit_at timestamptz(3) not null
);
create index rate_limit_hits_subject on rate_limit_hits (subject_hash, hit_at);
create index rate_limit_hits_age on rate_limit_hits (hit_at);

-- ID tokens that were used to sign in, until they expire.
create table used_id_tokens (
  token_hash bytea primary key,
  expires_at timestamptz(3) not null
);
