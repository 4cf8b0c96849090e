-- When the organisation was last sent to pay: should the events of the payment be lost, the state is fetched.
-- Rolling deploys: processes of the previous version leave it as it is; such a payment is found by its events, as before.

alter table stripe_customers add column checkout_at timestamptz(3);
