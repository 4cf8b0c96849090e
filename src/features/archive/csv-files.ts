// The same records as tables, for people and their spreadsheets.
import { UNKNOWN_TIME } from '../../../contract/values.ts'
import { initiativeCells } from '../export/initiative-cells.ts'
import { writeRecords, type Cell } from '../import/csv.ts'
import { accountCells } from '../import/account-rows.ts'
import { planColumns, updateColumns } from '../import/column-messages.ts'
import { planCells } from '../import/plan-rows.ts'
import type { Template } from '../../../contract/schemas/templates.ts'
import type { Contents } from './format.ts'
import { csvColumns as columns } from './messages.ts'

/** CSV texts by file name. Their headings are those that the imports of lists know. */
export function csvFiles(contents: Contents): Record<string, string> {
  const { people, accounts, success_plans, initiatives, templates } = contents
  const names = {
    organisation_users: new Map(people.map(({ id, name }) => [id, name])),
    accounts: new Map(accounts.map(({ id, name }) => [id, name])),
    success_plans: new Map(success_plans.map(({ id, title }) => [id, title])),
    templates: new Map(templates.map(({ id, title }) => [id, title])),
    initiatives: new Map(initiatives.map(({ id, title }) => [id, title])),
  }
  const nameOf = (of: keyof typeof names, id: string | null) =>
    id === null ? null : (names[of].get(id) ?? id)
  const personOf = (id: string | null) => nameOf('organisation_users', id)
  const accountOf = new Map(contents.success_plans.map(({ id, account_id }) => [id, account_id]))
  return {
    'people.csv': writeRecords(
      people.map(({ name, email }) => [
        [columns.name, name],
        [columns.email, email],
      ]),
    ),
    'accounts.csv': writeRecords(
      contents.accounts.map((account) => accountCells(account, personOf)),
    ),
    'contacts.csv': writeRecords(
      contents.accounts.flatMap(({ name, contacts }) =>
        contacts.map((contact): [string, Cell][] => [
          [columns.account, name],
          [columns.name, contact.name],
          [columns.email, contact.email],
          [columns.phone, contact.phone ?? null],
          [columns.jobTitle, contact.title],
          [columns.role, contact.role],
        ]),
      ),
    ),
    'renewals.csv': writeRecords(
      contents.accounts.flatMap(({ name, renewals = [] }) =>
        renewals.map((renewal): [string, Cell][] => [
          [columns.account, name],
          [columns.due, renewal.due],
          [columns.outcome, renewal.outcome],
          [columns.amount, renewal.amount],
          [columns.currency, renewal.currency],
          [columns.next, renewal.next_date],
          [columns.note, renewal.note],
          [columns.author, personOf(renewal.user_id)],
          [columns.recorded, renewal.recorded_at],
        ]),
      ),
    ),
    'success-plans.csv': writeRecords(
      contents.success_plans.map((plan) => planCells(plan, nameOf)),
    ),
    'updates.csv': writeRecords(
      contents.success_plan_updates.map((update) => [
        [updateColumns.plan_id.title, nameOf('success_plans', update.success_plan_id)],
        [
          updateColumns.account_id.title,
          nameOf('accounts', accountOf.get(update.success_plan_id) ?? null),
        ],
        [
          updateColumns.written_at.title,
          update.written_at === UNKNOWN_TIME ? '' : update.written_at,
        ],
        [updateColumns.author.title, personOf(update.user_id)],
        [updateColumns.body.title, update.body],
        [updateColumns.progress.title, update.progress_to],
        [updateColumns.health.title, update.health],
        [planColumns.status.title, update.status_to],
      ]),
    ),
    'initiatives.csv': writeRecords(
      initiatives.map((initiative) =>
        initiativeCells(initiative, {
          plan: nameOf('success_plans', initiative.success_plan_id),
          account: nameOf('accounts', initiative.account_id),
          owner: personOf(initiative.owner_id),
        }),
      ),
    ),
    'actions.csv': writeRecords(
      contents.actions.map((action) => [
        [columns.action, action.title],
        [columns.plan, nameOf('success_plans', action.success_plan_id)],
        [columns.initiative, nameOf('initiatives', action.initiative_id)],
        [columns.account, nameOf('accounts', action.account_id)],
        [columns.status, action.status],
        [columns.due, action.due_date],
        [columns.assignee, action.assignee_contact?.name ?? personOf(action.assignee_id)],
        [columns.priority, action.priority],
        [columns.completed, action.completed_at],
        [columns.description, action.description],
      ]),
    ),
    'templates.csv': writeRecords(templates.flatMap(templateRows)),
  }
}

/** A template as an outline: a row for itself, each initiative and each action, with days from the plan's start. */
function templateRows({ title, initiatives, ...template }: Template): [string, Cell][][] {
  const row = (cells: Partial<Record<keyof typeof columns, Cell>>) =>
    TEMPLATE_COLUMNS.map((name): [string, Cell] => [columns[name], cells[name] ?? null])
  return [
    row({
      template: title,
      type: template.type,
      lastDay: template.duration_days,
      cadence: template.update_cadence_days,
      description: template.description,
    }),
    ...initiatives.flatMap((initiative) => [
      row({
        template: title,
        initiative: initiative.title,
        firstDay: initiative.start_offset_days,
        lastDay: initiative.end_offset_days,
        description: initiative.description,
      }),
      ...initiative.actions.map((action) =>
        row({
          template: title,
          initiative: initiative.title,
          action: action.title,
          lastDay: action.due_offset_days,
          assignee: action.assignee_role,
          description: action.description,
        }),
      ),
    ]),
  ]
}

const TEMPLATE_COLUMNS = [
  'template',
  'initiative',
  'action',
  'type',
  'firstDay',
  'lastDay',
  'assignee',
  'cadence',
  'description',
] as const
