-- Row level security. Runs after the migrations whenever one was applied or this file changed, over all
-- tables: a new table without an organisation_id is closed to the tenant role until it is listed here.
--
-- A transaction takes one of three roles:
--   cairn_tenant  rows of the organisation in app.organisation_id, and the public columns of its members
--   cairn_auth    users, sessions and memberships; no records of any organisation
--   cairn_system  everything: seeding, jobs, backups
do $$
declare
  -- Tables of organisations that are also used before a request enters an organisation.
  before_entering constant text[] := array[
    'organisations', 'organisation_users', 'former_members', 'organisation_invites',
    'idempotency_keys', 'stripe_customers'
  ];
  internal constant text[] := array['migrations', 'fsync_probe'];
  -- As a subselect it is evaluated once for a statement, not for each row.
  active constant text :=
    '(select nullif(current_setting(''app.organisation_id'', true), '''')::uuid)';
  role_name text;
  subject record;
  visible text;
begin
  foreach role_name in array array['cairn_tenant', 'cairn_auth', 'cairn_system'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      begin
        execute format('create role %I nologin', role_name);
      exception when duplicate_object or unique_violation then
        -- Roles belong to the cluster: a migration of another database created it at the same time.
        null;
      end;
    end if;
  end loop;
  execute format(
    'grant usage on schema %I to cairn_tenant, cairn_auth, cairn_system', current_schema()
  );

  for subject in
    select
      relname as name,
      exists (
        select from pg_attribute
        where attrelid = pg_class.oid and attname = 'organisation_id' and not attisdropped
      ) as is_tenants
    from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and relname <> all (internal)
  loop
    execute format('alter table %I enable row level security', subject.name);
    execute format('alter table %I force row level security', subject.name);
    execute format('revoke all on %I from cairn_tenant, cairn_auth', subject.name);
    foreach role_name in array array['tenant', 'auth', 'system'] loop
      execute format('drop policy if exists %I on %I', role_name, subject.name);
    end loop;

    execute format(
      'create policy system on %I to cairn_system using (true) with check (true)', subject.name
    );
    execute format('grant select, insert, update, delete on %I to cairn_system', subject.name);

    if not subject.is_tenants or subject.name = any (before_entering) then
      execute format(
        'create policy auth on %I to cairn_auth using (true) with check (true)', subject.name
      );
      execute format('grant select, insert, update, delete on %I to cairn_auth', subject.name);
    end if;

    visible := case
      when subject.name = 'organisations' then 'id = ' || active
      when subject.name = 'users' then
        'exists (select from organisation_users member where member.user_id = users.id and member.organisation_id = '
          || active || ')'
      when subject.is_tenants then 'organisation_id = ' || active
    end;
    if visible is not null then
      execute format(
        'create policy tenant on %I to cairn_tenant using (%s) with check (%s)',
        subject.name, visible, visible
      );
    end if;
    if subject.name = 'users' then
      execute 'grant select (id, name, email, avatar_url) on users to cairn_tenant';
    elsif subject.name = 'organisations' then
      execute 'grant select, update, delete on organisations to cairn_tenant';
    elsif subject.is_tenants then
      execute format('grant select, insert, update, delete on %I to cairn_tenant', subject.name);
    elsif subject.name = 'mails' then
      -- A request of an organisation may enqueue mail, but not read the queue.
      execute 'create policy tenant on mails for insert to cairn_tenant with check (true)';
      execute 'grant insert on mails to cairn_tenant';
    elsif subject.name = 'rate_limit_hits' then
      -- A request of an organisation may count what it does. The rows hold hashes and times only.
      execute 'create policy tenant on rate_limit_hits to cairn_tenant using (true) with check (true)';
      execute 'grant select, insert on rate_limit_hits to cairn_tenant';
    end if;
  end loop;
end
$$;
