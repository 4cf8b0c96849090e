-- Templates of plans. A plan keeps the id of its template, even after the template was deleted.

create table templates (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid not null,
  title text not null,
  description text,
  type text check (type in ('customer', 'project')),
  duration_days integer not null check (duration_days > 0),
  update_cadence_days integer check (update_cadence_days in (7, 14, 30)),
  initiatives jsonb not null default '[]',
  version bigint not null,
  created_by uuid not null references users (id),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organisation_id, id)
);
create index templates_version on templates (organisation_id, version);

alter table success_plans add column template_id uuid;

-- For reassigning the work of a member who leaves.
create index success_plans_owner on success_plans (organisation_id, owner_id);
create index accounts_owner on accounts (organisation_id, owner_id);
