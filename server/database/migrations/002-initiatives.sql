-- Initiatives and actions. A position lies between those of its neighbours, so moving one record
-- changes one record.

alter table success_plans
  add column actions_count integer not null default 0,
  add column actions_done_count integer not null default 0;

create table initiatives (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid not null,
  success_plan_id uuid,
  account_id uuid,
  title text not null,
  description text,
  status text not null check (status in ('planned', 'in-progress', 'paused', 'completed', 'cancelled')),
  health text check (health in ('on-track', 'at-risk', 'off-track')),
  owner_id uuid,
  start_date date,
  end_date date,
  progress integer not null default 0 check (progress between 0 and 100),
  position double precision not null,
  version bigint not null,
  created_by uuid not null references users (id),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organisation_id, id),
  foreign key (organisation_id, success_plan_id) references success_plans (organisation_id, id),
  foreign key (organisation_id, account_id) references accounts (organisation_id, id),
  foreign key (organisation_id, owner_id) references organisation_users (organisation_id, user_id),
  check (end_date >= start_date)
);
create index initiatives_version on initiatives (organisation_id, version);
create index initiatives_plan on initiatives (organisation_id, success_plan_id, position);
create index initiatives_account on initiatives (organisation_id, account_id);
create index initiatives_owner on initiatives (organisation_id, owner_id);

create table actions (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid not null,
  -- The plan of the initiative, if the action has one.
  success_plan_id uuid,
  initiative_id uuid,
  account_id uuid,
  title text not null,
  description text,
  status text not null check (status in ('todo', 'in-progress', 'done', 'cancelled')),
  priority text check (priority in ('low', 'medium', 'high')),
  due_date date,
  assignee_id uuid,
  assignee_contact jsonb,
  completed_at timestamptz(3),
  position double precision not null,
  version bigint not null,
  created_by uuid not null references users (id),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organisation_id, id),
  foreign key (organisation_id, success_plan_id) references success_plans (organisation_id, id),
  foreign key (organisation_id, initiative_id) references initiatives (organisation_id, id),
  foreign key (organisation_id, account_id) references accounts (organisation_id, id),
  foreign key (organisation_id, assignee_id) references organisation_users (organisation_id, user_id)
);
create index actions_version on actions (organisation_id, version);
create index actions_plan on actions (organisation_id, success_plan_id, position);
create index actions_initiative on actions (organisation_id, initiative_id, position);
create index actions_account on actions (organisation_id, account_id);
create index actions_assignee on actions (organisation_id, assignee_id);
