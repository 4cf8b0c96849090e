-- In which version each field of a record was last set, and by whom: {"title": [version, user_id]}. A write
-- with If-Match is compared with these, so that counts and other derived values do not make it stale. `*` stands
-- for all fields: of a record that was created or restored, nothing else is known.
-- Rolling deploys: the previous version runs on this schema.

alter table accounts add column field_changes jsonb not null default '{}';
alter table success_plans add column field_changes jsonb not null default '{}';
alter table initiatives add column field_changes jsonb not null default '{}';
alter table actions add column field_changes jsonb not null default '{}';
alter table templates add column field_changes jsonb not null default '{}';

update accounts set field_changes = jsonb_build_object('*', jsonb_build_array(version, null));
update success_plans set field_changes = jsonb_build_object('*', jsonb_build_array(version, null));
update initiatives set field_changes = jsonb_build_object('*', jsonb_build_array(version, null));
update actions set field_changes = jsonb_build_object('*', jsonb_build_array(version, null));
update templates set field_changes = jsonb_build_object('*', jsonb_build_array(version, null));

-- Arguments: the columns that follow from other records.
create function note_field_changes() returns trigger language plpgsql as $$
declare
  not_set text[] := array['version', 'updated_at', 'field_changes'] || tg_argv;
  author text := nullif(current_setting('app.user_id', true), '');
  changes jsonb;
begin
  if tg_op = 'INSERT' then
    -- A backup has them already, unless it is older than the column.
    if new.field_changes = '{}' then
      new.field_changes := jsonb_build_object('*', jsonb_build_array(new.version, null));
    end if;
    return new;
  end if;
  -- The progress of such a plan follows from its actions.
  if to_jsonb(new) ->> 'progress_mode' = 'auto' then
    not_set := not_set || array['progress'];
  end if;
  select jsonb_object_agg(key, jsonb_build_array(new.version, author)) into changes
  from jsonb_each(to_jsonb(new))
  where value is distinct from to_jsonb(old) -> key and key <> all (not_set);
  new.field_changes := old.field_changes || coalesce(changes, '{}');
  return new;
end
$$;

create trigger note_field_changes before insert or update on accounts
  for each row execute function note_field_changes();
create trigger note_field_changes before insert or update on success_plans
  for each row execute function note_field_changes('last_update_at', 'actions_count', 'actions_done_count');
create trigger note_field_changes before insert or update on initiatives
  for each row execute function note_field_changes('progress');
create trigger note_field_changes before insert or update on actions
  for each row execute function note_field_changes();
create trigger note_field_changes before insert or update on templates
  for each row execute function note_field_changes();
