-- Users and their sessions. Instants come from the application's clock, never from now().

create table users (
  id uuid primary key,
  email text not null unique,
  password_hash text not null,
  name text not null,
  job_title text,
  phone text,
  timezone text not null default 'UTC',
  avatar_url text,
  superadmin boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create table token_families (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- The newest generation that the app has used. Its successor may already be issued.
  generation integer not null default 0,
  confirmed_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  revoked_at timestamptz(3)
);
create index token_families_user on token_families (user_id);

create table refresh_tokens (
  hash bytea primary key,
  family_id uuid not null references token_families (id) on delete cascade,
  generation integer not null
);
create index refresh_tokens_family on refresh_tokens (family_id);

create table access_tokens (
  hash bytea primary key,
  family_id uuid not null references token_families (id) on delete cascade,
  generation integer not null,
  expires_at timestamptz(3) not null
);
create index access_tokens_family on access_tokens (family_id);
create index access_tokens_expiry on access_tokens (expires_at);

-- Inserted before a password is checked and deleted when it is correct, so that concurrent guesses are
-- counted too.
create table sign_in_attempts (
  id uuid primary key,
  account_hash bytea not null,
  address text not null,
  at timestamptz(3) not null
);
create index sign_in_attempts_account on sign_in_attempts (account_hash, at);
create index sign_in_attempts_address on sign_in_attempts (address, at);

-- Organisations and their records. Every key begins with the organisation, so that the rows can be
-- sharded by it.

create table organisations (
  id uuid primary key,
  name text not null,
  user_id uuid not null references users (id),
  website text,
  timezone text not null default 'UTC',
  currency text not null default 'USD',
  plan text not null default 'free',
  -- Grows with each change. It starts at a random number, so that a device that was filled from another
  -- database can be recognised by its version.
  version bigint not null,
  first_version bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create table organisation_users (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid not null,
  user_id uuid not null references users (id),
  role text not null check (role in ('admin', 'member')),
  version bigint not null,
  created_at timestamptz(3) not null,
  primary key (organisation_id, id),
  unique (organisation_id, user_id)
);
create index organisation_users_user on organisation_users (user_id);
create index organisation_users_version on organisation_users (organisation_id, version);

create table accounts (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid not null,
  name text not null,
  website text,
  industry text,
  tier text check (tier in ('strategic', 'standard', 'tech-touch')),
  status text not null check (status in ('prospect', 'trial', 'active', 'churned')),
  health text check (health in ('on-track', 'at-risk', 'off-track')),
  arr double precision check (arr >= 0),
  currency text not null,
  renewal_date date,
  owner_id uuid,
  contacts jsonb not null default '[]',
  notes text,
  tags jsonb not null default '[]',
  version bigint not null,
  created_by uuid not null references users (id),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organisation_id, id),
  foreign key (organisation_id, owner_id) references organisation_users (organisation_id, user_id)
);
create index accounts_version on accounts (organisation_id, version);

create table success_plans (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid not null,
  title text not null,
  type text not null check (type in ('customer', 'project')),
  status text not null check (status in ('planned', 'in-progress', 'paused', 'completed', 'cancelled')),
  health text check (health in ('on-track', 'at-risk', 'off-track')),
  progress integer not null default 0 check (progress between 0 and 100),
  progress_mode text not null default 'manual' check (progress_mode in ('manual', 'auto')),
  description text,
  success_criteria text,
  start_date date,
  end_date date,
  account_id uuid,
  owner_id uuid not null,
  outcome text check (outcome in ('achieved', 'partially-achieved', 'missed')),
  close_note text,
  update_cadence_days integer check (update_cadence_days in (7, 14, 30)),
  last_update_at timestamptz(3),
  version bigint not null,
  created_by uuid not null references users (id),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organisation_id, id),
  foreign key (organisation_id, account_id) references accounts (organisation_id, id),
  foreign key (organisation_id, owner_id) references organisation_users (organisation_id, user_id),
  check (end_date >= start_date)
);
create index success_plans_version on success_plans (organisation_id, version);
create index success_plans_created on success_plans (organisation_id, created_at desc, id);
create index success_plans_end on success_plans (organisation_id, end_date, id);
create index success_plans_account on success_plans (organisation_id, account_id);

create table success_plan_updates (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid not null,
  success_plan_id uuid not null,
  user_id uuid not null references users (id),
  body text not null,
  health text check (health in ('on-track', 'at-risk', 'off-track')),
  progress_from integer,
  progress_to integer,
  status_from text,
  status_to text,
  written_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  version bigint not null,
  primary key (organisation_id, id),
  foreign key (organisation_id, success_plan_id) references success_plans (organisation_id, id)
    on delete cascade
);
create index success_plan_updates_version on success_plan_updates (organisation_id, version);
create index success_plan_updates_plan
  on success_plan_updates (organisation_id, success_plan_id, written_at desc, id desc);

-- Deleted records, for devices that still have a copy.
create table tombstones (
  organisation_id uuid not null references organisations (id) on delete cascade,
  type text not null,
  id uuid not null,
  version bigint not null,
  primary key (organisation_id, type, id)
);
create index tombstones_version on tombstones (organisation_id, version);

-- Responses to writes, stored so that a retry gets the same one. The organisation is the nil UUID for
-- requests outside of organisations.
create table idempotency_keys (
  user_id uuid not null,
  organisation_id uuid not null,
  key uuid not null,
  request_hash bytea not null,
  status integer not null,
  body text not null,
  etag text,
  created_at timestamptz(3) not null,
  primary key (organisation_id, user_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
