// Random requests to every row of the endpoint table: the server answers and never fails.
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { endpoints } from '../../../contract/endpoints.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open({ tokenLifetimes: { accessTokenSeconds: 86_400 } })
  mia = await world.createOwner('Mia')
})
afterAll(() => world.close())

// An event stream never ends; events.test.ts covers it.
const rows: [string, Endpoint][] = Object.entries<Endpoint>(endpoints).filter(
  ([, { media }]) => media === undefined,
)
describe('random requests never make the server fail', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '\0',
      '\uD800',
      '%',
      '\\',
      "'",
      '9'.repeat(400),
      '2026-02-30',
      '1e400',
      '../../..',
    ),
  )
  const value = fc.oneof(
    text,
    fc.double(),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.array(text, { maxLength: 3 }),
    fc.uuid(),
    fc.constantFrom('planned', 'project', 'on-track', '2026-03-01', '2026-03-01T00:00:00Z'),
  )
  const names = [
    'id',
    'title',
    'name',
    'type',
    'status',
    'progress',
    'health',
    'body',
    'start_date',
    'end_date',
    'account_id',
    'owner_id',
    'website',
    'arr',
    'currency',
    'contacts',
    'tags',
    'written_at',
    'timezone',
    'email',
    'outcome',
    'note',
    'grant_type',
    'username',
    'password',
    'refresh_token',
    'success_plan_id',
    'initiative_id',
    'template_id',
    'from_success_plan_id',
    'assignee_id',
    'assignee_contact',
    'priority',
    'due_date',
    'completed_at',
    'position',
    'description',
    'duration_days',
    'initiatives',
    'token',
    'role',
    'user_id',
    'plan',
    'digest',
    'due_lead_days',
    'step',
    'done',
  ]
  const body = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 8 })
  const query = fc.array(
    fc.tuple(
      fc.constantFrom(
        'page',
        'per_page',
        'sort',
        'since',
        'filters[title]',
        'filters[status][]',
        'filters[owner_id]',
        'a[b',
        '[]',
      ),
      text,
    ),
    { maxLength: 3 },
  )
  test.each(rows)('%s', async (_name, row) => {
    // Resets the rate limit.
    world.advance({ minutes: 1 })
    const plan = await mia.createPlan()
    await fc.assert(
      fc.asyncProperty(body, query, fc.boolean(), async (fields, pairs, isBare) => {
        const search = new URLSearchParams(pairs.map(([key, part]) => [key, part.toWellFormed()]))
        const path = row.path.replace(/\{\w+\}/, plan)
        const reply = await mia.call(
          row.method,
          `${path}${isBare ? '' : `?${search.toString()}`}`,
          {
            body: row.body
              ? { type: 'project', title: 'T', name: 'N', body: 'B', duration_days: 1, ...fields }
              : undefined,
          },
        )
        expect(reply.status, reply.text).toBeLessThan(500)
        expect(() => reply.json).not.toThrow()
      }),
      { numRuns: 25, seed: 20_260_301 },
    )
  })
})
