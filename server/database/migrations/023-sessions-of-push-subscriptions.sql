-- The session of a browser that gets notifications: they end with it.
-- Rolling deploys: processes of the previous version leave it empty; such subscriptions end with any session of
-- their user, as before.

alter table push_subscriptions
  add column family_id uuid references token_families (id) on delete cascade;
create index push_subscriptions_family on push_subscriptions (family_id);
