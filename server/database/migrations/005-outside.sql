-- What the server has to do with others: mail that it sends, sign-in that others vouch for, payment.

-- Mail that is to be sent. Sealed, because there are links in it that open accounts.
create table mails (
  id uuid primary key,
  sealed bytea not null,
  request_id uuid,
  attempts integer not null default 0,
  due_at timestamptz(3) not null,
  gives_up_at timestamptz(3) not null
);
create index mails_due on mails (due_at);

-- Which digests went out, or had nothing to say, and up to when they tell. The key is what keeps a second process from sending
-- one again.
create table digests (
  user_id uuid not null references users (id) on delete cascade,
  day date not null,
  at timestamptz(3) not null,
  primary key (user_id, day)
);

-- By whom a plan or an action was last given to somebody: the digest tells of it.
create table assignments (
  organisation_id uuid not null references organisations (id) on delete cascade,
  record_id uuid not null,
  user_id uuid not null references users (id) on delete cascade,
  assigned_by uuid not null references users (id) on delete cascade,
  assigned_at timestamptz(3) not null,
  primary key (organisation_id, record_id)
);
create index assignments_user on assignments (organisation_id, user_id);

-- Who signs in through somebody else has no password.
alter table users alter column password_hash drop not null;

create table social_sign_ins (
  provider text not null check (provider in ('google')),
  subject text not null,
  user_id uuid not null references users (id) on delete cascade,
  primary key (provider, subject)
);
create index social_sign_ins_user on social_sign_ins (user_id);

-- The address that somebody has shown to be theirs; it counts for as long as it is the user's.
create table verified_addresses (
  user_id uuid primary key references users (id) on delete cascade,
  email text not null
);

-- What the payment provider says of an organisation. It outlives the organisation, until nothing is
-- charged for it any more.
create table stripe_customers (
  organisation_id uuid primary key,
  customer_id text not null,
  status text not null default 'none'
    check (status in ('none', 'trialing', 'active', 'past_due', 'cancelled')),
  current_period_end timestamptz(3),
  ends_at timestamptz(3),
  -- Until when the plan holds without another word of the provider; null where it does not.
  holds_until timestamptz(3),
  -- Counts who asked the provider: only what the last one heard is kept.
  turn integer not null default 0
);

-- Events that were heard, so that none is heard twice.
create table stripe_events (
  id text primary key,
  at timestamptz(3) not null
);
