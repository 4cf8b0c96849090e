// After an exploration has healed: what the devices called saved, compared with what the server has.
import type { Changes } from '../../../contract/schemas/changes.ts'
import type { Exchange } from '../fixtures/fault-proxy.ts'
import type { ExploreFixture } from './explore-fixture.ts'
import { bodyOf, recordIdOf, type Ledger, type Saved } from './ledger.ts'

type Row = Record<string, unknown> & { id: string }

/** The rows of one organisation by collection. */
export type ServerRows = Map<string, Row[]>

/** All rows that the server has of an organisation. */
export async function readServer(
  reader: ExploreFixture['organisations'][number]['reader'],
): Promise<ServerRows> {
  const rows: ServerRows = new Map()
  for (let since = 0, more = true; more;) {
    const page = (await reader.call('GET', `/api/v1/changes?since=${since}`)) as Changes
    const { deleted: _, ...lists } = page.data
    for (const [name, list] of Object.entries(lists))
      rows.set(name, [...(rows.get(name) ?? []), ...(list as Row[])])
    since = page.version
    more = page.more
  }
  return rows
}

interface Delivered {
  exchange: Exchange
  id: string
}

/**
 * The attempts of an operation that had an effect, alone or in a batch: the server accepted them, and not
 * from its memory.
 */
const deliveriesOf = ({ forms }: Saved, calls: readonly Exchange[]): Delivered[] =>
  calls
    .filter(
      ({ key, upstream = 0, replayed }) =>
        key !== undefined && forms.has(key) && upstream >= 200 && upstream < 300 && !replayed,
    )
    .map((exchange) => ({ exchange, id: exchange.key ?? '' }))

const describe = ({ device, forms, step }: Saved) => {
  const last = [...forms.values()].at(-1)
  return `${device}, step ${step}: ${last?.endpoint} ${JSON.stringify(last?.input)}`
}

/** Each saved operation had one effect, or waits for an answer of its author, or was given up. */
export function checkDeliveries(
  { devices, organisations }: ExploreFixture,
  ledger: Ledger,
  servers: ReadonlyMap<string, ServerRows>,
): string[] {
  const people = new Map(organisations.flatMap(() => devices).map((one) => [one.name, one]))
  return [...ledger.saved.values()].flatMap((saved) => {
    const calls = people.get(saved.device)?.network.operations ?? []
    const delivered = deliveriesOf(saved, calls)
    if (delivered.length > 1) return [`sent ${delivered.length} times: ${describe(saved)}`]
    const [only] = delivered
    if (only) return checkRecord(saved, only.id, servers)
    if (saved.stored || saved.isGivenUp) return []
    return [`neither on the server nor asked about: ${describe(saved)}`]
  })
}

/** The record that an operation created is there once, in its organisation, plan and author's name. */
function checkRecord(saved: Saved, id: string, servers: ReadonlyMap<string, ServerRows>): string[] {
  const form = saved.forms.get(id)
  if (!form || form.organisation_id === null || !/^(create|postPlanUpdate)/.test(form.endpoint))
    return []
  const body = bodyOf(form.input)
  const found = [...servers].flatMap(([organisation, rows]) =>
    [...rows.values()]
      .flat()
      .filter((row) => row.id === body['id'])
      .map((row) => ({ organisation, row })),
  )
  const [only] = found
  if (!only || found.length > 1) return [`there ${found.length} times: ${describe(saved)}`]
  const { row, organisation } = only
  const author = row['user_id'] ?? row['created_by']
  const plan = form.endpoint === 'postPlanUpdate' ? row['success_plan_id'] : undefined
  return [
    organisation !== form.organisation_id && 'in another organisation',
    form.user_id !== undefined && author !== form.user_id && `with the author ${String(author)}`,
    plan !== undefined && plan !== form.input.path?.['id'] && 'in another plan',
    plan !== undefined &&
      typeof body['body'] === 'string' &&
      row['body'] !== body['body'] &&
      'with another text',
  ]
    .filter((fault) => fault !== false)
    .map((fault) => `${fault}: ${describe(saved)}`)
}

/** Every text that a screen called saved belongs to an operation of its device. */
export function checkClaims(ledger: Ledger): string[] {
  const known = [...ledger.saved.values()].map(({ device, forms }) => ({
    device,
    text: JSON.stringify([...forms.values()].map(({ input }) => input)),
  }))
  return [...ledger.claims.values()]
    .filter(
      ({ device, text }) => !known.some((one) => one.device === device && one.text.includes(text)),
    )
    .map(({ device, text, step }) => `${device}, step ${step}: “${text}” was shown as saved`)
}

/** The server has the last confirmed value of each text that was edited. */
export function checkEdits(
  { devices }: ExploreFixture,
  ledger: Ledger,
  servers: ReadonlyMap<string, ServerRows>,
): string[] {
  const last = new Map<string, { at: number; value: string; saved: Saved }>()
  for (const { name, network } of devices)
    for (const saved of ledger.saved.values())
      for (const { exchange, id } of saved.device === name
        ? deliveriesOf(saved, network.operations)
        : []) {
        const form = saved.forms.get(id)
        const record = form && recordIdOf(form.input)
        if (!form || !/^(update|create)/.test(form.endpoint)) continue
        for (const [field, value] of Object.entries(bodyOf(form.input))) {
          const key = `${record} ${field}`
          const at = exchange.answered ?? 0
          if (typeof value === 'string' && /w\d+x/.test(value) && at >= (last.get(key)?.at ?? 0))
            last.set(key, { at, value, saved })
        }
      }
  const rows = new Map(
    [...servers.values()].flatMap((one) => [...one.values()].flat()).map((row) => [row.id, row]),
  )
  return [...last].flatMap(([key, { value, saved }]) => {
    const [record = '', field = ''] = key.split(' ')
    const stored = rows.get(record)?.[field]
    return stored === value
      ? []
      : [`${field} is “${String(stored)}” instead of “${value}”: ${describe(saved)}`]
  })
}

/** Fields that follow from a change of status. */
const OF_STATUS = ['progress', 'outcome', 'close_note', 'health']

/** Each conflict that was shown: another device wrote a value for that field of that record. */
export function checkQuestions(ledger: Ledger): string[] {
  return [...ledger.questions.values()].flatMap(({ device, step, operation }) => {
    const { conflict, input } = operation
    const record = recordIdOf(input) ?? ''
    return (conflict?.fields ?? [])
      .filter((field) => {
        const fields = OF_STATUS.includes(field) ? [field, 'status'] : [field]
        return !fields.some((name) =>
          ledger.writersOf(record, name).some((one) => one.device !== device),
        )
      })
      .map(
        (field) =>
          `${device}, step ${step}: ${field} of ${operation.endpoint} ${JSON.stringify(operation)}`,
      )
  })
}
