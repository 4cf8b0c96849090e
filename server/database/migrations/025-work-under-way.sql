-- The organisation that sends a mail, null for one of an account: those of one must not delay those of others. And the
-- notifications that wait for a browser, of which a later one replaces an earlier one.
-- Rolling deploys: processes of the previous version leave the organisation empty, and send in the order of time.

alter table mails add column sent_by uuid;
create index pushes_subscription on pushes (organisation_id, subscription_id);

-- Users whose name, address or picture has changed, until the other members of their organisations have it: a process
-- may end in between.
-- Rolling deploys: processes of the previous version leave it empty; what they do not publish waits for the next change.

create table unpublished_users (
  user_id uuid primary key references users (id) on delete cascade,
  -- Of the last change: what is published is deleted, unless there is a later one.
  change_id uuid not null
);

-- Which request to the payment provider has stored its result: an earlier one stores none, and a later one may fail.
-- Rolling deploys: processes of the previous version leave it as it is, and store the result of the last request only.

alter table stripe_customers add column stored_seq integer not null default 0;
