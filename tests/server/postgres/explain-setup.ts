// Every statement that the server runs in a test on PostgreSQL is planned again with sequential scans
// as the last resort: a plan that still has one lacks an index.
import { Client } from 'pg'
import { afterAll, expect, inject } from 'vitest'
import { PLANS, urlAsSuperuser } from './databases.ts'

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Node[]
}

const FULL_SCANS = [
  // The hourly purge and reconciliation: an index on the time would cost every write more than
  // they do.
  /^delete from "(?:token_families|password_resets|organisation_invites|stripe_events|digests|sent_reminders|assignments)" where \(?"\w+" < \$1/,
  /from "stripe_customers" .*"entitled_until" <= \$\d/,
  // The digest schedule: the time zones of all users.
  /^select distinct .*"timezone" from "users"/,
  // Whether there is any user.
  /^select "id" from "users" limit \$1$/,
  // A restored backup moves the versions of every organisation, and an old one gets its former members.
  /^with authors as /,
  /^update organisations\s/,
  // The row-security test removes the conditions.
  / where true = true/,
]

const postgres = inject('postgres')
const explained = new Set<string>()
const { prototype } = Client
const query = Reflect.get(prototype, 'query') as (...all: unknown[]) => unknown

/** The first caller in the stack that is neither a library nor database access code. */
function isServerQuery(): boolean {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 60
  const { stack = '' } = new Error('Where from?')
  Error.stackTraceLimit = stackTraceLimit
  const caller = stack
    .split('\n')
    .slice(1)
    .find(
      (line) =>
        /\/(?:server|tests)\//.test(line) &&
        !/node_modules|explain-all|server\/(?:connection|postgres|database|migrate)\.ts/.test(line),
    )
  return caller !== undefined && !caller.includes('/tests/')
}

prototype.query = function note(this: Client, ...all: unknown[]) {
  const [text] = all
  if (typeof text === 'string' && !explained.has(text) && isPlanned(text) && isServerQuery())
    explained.add(text)
  return query.apply(this, all)
} as typeof prototype.query

const isPlanned = (text: string) => /^\s*(?:select|insert|update|delete|with)\b/.test(text)

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

const isFullScan = (node: Node) =>
  node['Relation Name'] !== 'migrations' &&
  (node['Node Type'] === 'Seq Scan' ||
    (/Index (Only )?Scan$/.test(node['Node Type']) && node['Index Cond'] === undefined))

afterAll(async () => {
  prototype.query = query as typeof prototype.query
  const client = new Client({ connectionString: urlAsSuperuser(postgres?.folder ?? '', PLANS) })
  await client.connect()
  const slow: string[] = []
  try {
    for (const text of explained) {
      if (/;\s*\S/.test(text) || FULL_SCANS.some((one) => one.test(text))) continue
      const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)))
      const nulls = Array.from({ length: count }, () => 'null').join(', ')
      await client.query(`prepare planned as ${text}`)
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Node }[] }>(
        `explain (format json) execute planned${count > 0 ? `(${nulls})` : ''}`,
      )
      await client.query('deallocate planned')
      for (const { Plan } of rows.flatMap((row) => row['QUERY PLAN']))
        for (const node of nodesOf(Plan).filter(isFullScan))
          slow.push(
            `${node['Node Type']} on ${node['Relation Name'] ?? node['Index Name']}: ${text}`,
          )
    }
  } finally {
    await client.end()
  }
  expect(slow).toEqual([])
})
