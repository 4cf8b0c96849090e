-- Invitations, password resets, and settings of users and organisations. Only hashes of tokens are stored.

create table organisation_invites (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid not null,
  email text not null,
  role text not null check (role in ('admin', 'member')),
  token_hash bytea not null,
  invited_by uuid not null references users (id),
  accepted_at timestamptz(3),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (organisation_id, id)
);
create index organisation_invites_email on organisation_invites (organisation_id, email);
create index organisation_invites_token on organisation_invites (token_hash);

create table password_resets (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  expires_at timestamptz(3) not null
);
create index password_resets_user on password_resets (user_id);

create table notification_consents (
  user_id uuid primary key references users (id) on delete cascade,
  email jsonb not null,
  digest text not null check (digest in ('off', 'daily', 'weekly')),
  due_lead_days integer not null check (due_lead_days between 1 and 7)
);

create table onboardings (
  user_id uuid primary key references users (id) on delete cascade,
  status text not null check (status in ('not-started', 'in-progress', 'completed', 'skipped')),
  steps jsonb not null
);

create table subscriptions (
  organisation_id uuid primary key references organisations (id) on delete cascade,
  started_at timestamptz(3) not null,
  ends_at timestamptz(3)
);
create index subscriptions_end on subscriptions (ends_at);
