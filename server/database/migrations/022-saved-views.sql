-- Views of lists that a user has named. They are personal: they end with the membership.
-- Rolling deploys: processes of the previous version do not know them, and remove them with the membership.

create table saved_views (
  organisation_id uuid not null references organisations (id) on delete cascade,
  user_id uuid not null,
  -- Made by the app: two users may have the same one.
  id uuid not null,
  name text not null,
  search text not null,
  primary key (organisation_id, user_id, id),
  foreign key (organisation_id, user_id)
    references organisation_users (organisation_id, user_id) on delete cascade
);
