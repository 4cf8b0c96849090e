-- Notifications: subscriptions, the queue, and reminders that were sent.

alter table notification_consents add column push jsonb not null default '{}';

-- One row for each browser in which a user wants notifications.
create table push_subscriptions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  created_at timestamptz(3) not null
);
create index push_subscriptions_user on push_subscriptions (user_id);

-- Either an update whose followers are still to be found, or a message for one browser.
create table pushes (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid not null,
  update_id uuid,
  subscription_id uuid references push_subscriptions (id) on delete cascade,
  message jsonb,
  attempts integer not null default 0,
  due_at timestamptz(3) not null,
  gives_up_at timestamptz(3) not null,
  primary key (organisation_id, id),
  check ((update_id is null) = (subscription_id is not null and message is not null))
);
create index pushes_due on pushes (due_at);

-- Reminders of due actions that were sent. The primary key keeps a second process from sending one again.
create table pushes_told (
  organisation_id uuid not null references organisations (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  action_id uuid not null,
  kind text not null check (kind in ('action_due', 'action_overdue')),
  due_date date not null,
  at timestamptz(3) not null,
  primary key (organisation_id, user_id, action_id, kind, due_date)
);
