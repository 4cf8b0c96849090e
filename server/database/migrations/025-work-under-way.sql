-- The organisation that sends a mail, null for one of an account: those of one must not delay those of others. And the
-- notifications that wait for a browser, of which a later one replaces an earlier one.
-- Rolling deploys: processes of the previous version leave the organisation empty, and send in the order of time.

alter table mails add column sent_by uuid;
create index pushes_subscription on pushes (organisation_id, subscription_id);
