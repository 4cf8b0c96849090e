-- Links with which an operator lets somebody make the first account. Rolling deploys: processes of the previous
-- version continue to work and do not know such links.

create table setup_links (
  token_hash bytea primary key,
  expires_at timestamptz(3) not null
);
