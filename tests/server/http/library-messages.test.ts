// A 422 says what to do in the words of the app's forms, whatever is wrong with a value, and not in those of the
// validation library.
import type * as v from 'valibot'
import { expect, onTestFinished, test } from 'vitest'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { endpoints } from '../../../contract/endpoints.ts'
import { validate } from '../../../contract/errors.ts'
import { defaultMessage } from '../../../server/errors/default-messages.ts'
import { ApiFixture } from '../fixtures/api-fixture.ts'

/** The inner structure of a schema. */
interface Shape {
  entries?: Record<string, Shape>
  item?: Shape
  options?: (Shape | string)[]
  pipe?: Shape[]
  wrapped?: Shape
}

const VALUES: unknown[] = [null, -1, 1.5, 1e99, '', 'x', 'x'.repeat(20_000), true, [], [null], {}]

/** Values for each place of a schema, most of which are wrong. */
function* wrongInputs({ entries, item, options, pipe, wrapped }: Shape): Generator {
  yield* VALUES
  const inner = [wrapped, ...(pipe ?? []), ...(options ?? [])]
  for (const shape of inner) if (typeof shape === 'object') yield* wrongInputs(shape)
  if (item) for (const value of wrongInputs(item)) yield [value]
  for (const [name, shape] of Object.entries(entries ?? {}))
    for (const value of wrongInputs(shape)) yield { [name]: value }
}

const rows = Object.entries<Endpoint>(endpoints).filter(([, { body, query }]) => body ?? query)
test.each(rows)('%s', (_name, { body, query }) => {
  const schemas = [body, query].filter((schema) => schema !== undefined)
  const messages = new Set<string>()
  for (const schema of schemas as v.GenericSchema[])
    for (const input of wrongInputs(schema as Shape)) {
      const result = validate(schema, input, defaultMessage)
      if (result.ok) continue
      for (const message of Object.values(result.errors).flat()) messages.add(message)
    }
  expect(messages.size).toBeGreaterThan(0)
  const unclear = /invalid|expected|received|undefined|null|not valid\.$/i
  expect([...messages].filter((message) => unclear.test(message))).toEqual([])
})

test('the message is at the field of the answer', async () => {
  const world = await ApiFixture.open()
  onTestFinished(() => world.close())
  const mia = await world.createOwner('Mia')
  const account = { name: 'A', tags: 'one', contacts: [{ name: 'Zoe', is_primary: 'yes' }] }
  expect((await mia.post('/api/v1/accounts', account)).statusAndBody).toEqual({
    status: 422,
    body: {
      message: 'Choose yes or no.',
      errors: { 'contacts.0.is_primary': ['Choose yes or no.'], tags: ['Send a list.'] },
    },
  })
})
