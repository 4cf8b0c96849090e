-- Integrations: outgoing mail, sign-in by an external provider, payment.

-- Outgoing mail. Encrypted, because it contains links that give access to accounts.
create table mails (
  id uuid primary key,
  sealed bytea not null,
  request_id uuid,
  attempts integer not null default 0,
  due_at timestamptz(3) not null,
  gives_up_at timestamptz(3) not null
);
create index mails_due on mails (due_at);

-- Digests that were sent or were empty, and the time up to which they cover the news. The primary key keeps
-- a second process from sending one again.
create table digests (
  user_id uuid not null references users (id) on delete cascade,
  day date not null,
  at timestamptz(3) not null,
  primary key (user_id, day)
);

-- Who last assigned a plan or an action to another user, for the digest.
create table assignments (
  organisation_id uuid not null references organisations (id) on delete cascade,
  record_id uuid not null,
  user_id uuid not null references users (id) on delete cascade,
  assigned_by uuid not null references users (id) on delete cascade,
  assigned_at timestamptz(3) not null,
  primary key (organisation_id, record_id)
);
create index assignments_user on assignments (organisation_id, user_id);

-- Users who sign in with an external provider have no password.
alter table users alter column password_hash drop not null;

create table social_sign_ins (
  provider text not null check (provider in ('google')),
  subject text not null,
  user_id uuid not null references users (id) on delete cascade,
  primary key (provider, subject)
);
create index social_sign_ins_user on social_sign_ins (user_id);

-- The address that a user has verified. It counts only while it is the user's current address.
create table verified_addresses (
  user_id uuid primary key references users (id) on delete cascade,
  email text not null
);

-- The billing state of an organisation at the payment provider. The row outlives the organisation until its
-- subscriptions are cancelled.
create table stripe_customers (
  organisation_id uuid primary key,
  customer_id text not null,
  status text not null default 'none'
    check (status in ('none', 'trialing', 'active', 'past_due', 'cancelled')),
  current_period_end timestamptz(3),
  ends_at timestamptz(3),
  -- End of the entitlement if nothing more is heard from the provider; null without one.
  holds_until timestamptz(3),
  -- Counts the requests to the provider: only the result of the latest one is stored.
  turn integer not null default 0
);

-- Events that were handled, so that none is handled twice.
create table stripe_events (
  id text primary key,
  at timestamptz(3) not null
);
