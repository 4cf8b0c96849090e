-- Passkeys (WebAuthn credentials) of users. Processes of the previous version do not use the table.

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- The id that the authenticator gave it, base64url.
  credential_id text not null unique,
  public_key bytea not null,
  -- How often it was used, by its own count; 0 for those that do not count.
  counter bigint not null default 0,
  -- How browsers reach the authenticator, such as `internal`, separated by commas.
  transports text not null default '',
  name text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
create index passkeys_user on passkeys (user_id);
