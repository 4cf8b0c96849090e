-- Gives tables and columns the standard names. Rolling deploys: these are renames, so processes of the previous
-- version fail on these tables. Stop them before starting this version (docs/decisions/072-column-names.md).

alter table mails rename column sealed to ciphertext;
alter table mails rename column due_at to next_attempt_at;
alter table mails rename column gives_up_at to expires_at;

alter table pushes rename column due_at to next_attempt_at;
alter table pushes rename column gives_up_at to expires_at;

alter table pushes_told rename to sent_reminders;
alter table sent_reminders rename column at to sent_at;

alter table digests rename column at to sent_at;

-- Counts the requests to the provider: only the result of the latest one is stored.
alter table stripe_customers rename column turn to request_seq;
-- End of the entitlement if nothing more is heard from the provider.
alter table stripe_customers rename column holds_until to entitled_until;

alter table stripe_events rename column at to received_at;

alter table sign_in_attempts rename column at to attempted_at;
