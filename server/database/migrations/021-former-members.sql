-- The names of former members, for what they wrote. A row gives no access: that is organisation_users.
-- Rolling deploys: processes of the previous version leave no row when a member leaves.

create table former_members (
  organisation_id uuid not null references organisations (id) on delete cascade,
  -- That of the membership.
  id uuid not null,
  user_id uuid not null references users (id),
  name text not null,
  left_at timestamptz(3) not null,
  version bigint not null,
  primary key (organisation_id, id)
);
create index former_members_version on former_members (organisation_id, version);
create index former_members_user on former_members (user_id);

-- Those who left before this version and whose updates are still there.
with authors as (
  select written.organisation_id, written.user_id, max(written.created_at) as left_at
  from success_plan_updates as written
  where not exists (
    select from organisation_users as member
    where member.organisation_id = written.organisation_id and member.user_id = written.user_id
  )
  group by written.organisation_id, written.user_id
),
numbered as (
  select authors.*, users.name,
    row_number() over (partition by authors.organisation_id order by authors.user_id) as position
  from authors join users on users.id = authors.user_id
  where users.email not like 'deleted-%@invalid'
),
inserted as (
  insert into former_members (organisation_id, id, user_id, name, left_at, version)
  select organisation_id, gen_random_uuid(), user_id, name, left_at,
    (select version from organisations where id = organisation_id) + position
  from numbered
)
update organisations set version = version + added.count
from (select organisation_id, count(*) as count from numbered group by organisation_id) as added
where organisations.id = added.organisation_id;
