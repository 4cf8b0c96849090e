// The OpenAPI document: complete, valid, and strict enough to detect a wrong answer.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../../contract/endpoints.ts'
import { assertMatchesOpenApi } from '../fixtures/assert-openapi.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

interface Operation {
  operationId: string
  parameters: { name: string; in: string; schema: object }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>
}

let world: ApiFixture
let mia: ApiUser
let document: { openapi: string; paths: Record<string, Record<string, Operation>> }
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
  document = (await world.call('GET', '/openapi.json')).json as unknown as typeof document
})
afterAll(() => world.close())

const operations = () => Object.values(document.paths).flatMap((path) => Object.values(path))

test('the document contains each endpoint under its name, and nothing else', () => {
  expect(document.openapi).toBe('3.1.0')
  expect(
    operations()
      .map(({ operationId }) => operationId)
      .toSorted(),
  ).toEqual(Object.keys(endpoints).toSorted())
  for (const row of Object.values(endpoints))
    expect(document.paths[row.path]).toHaveProperty(row.method.toLowerCase())
})

test('each schema in it is valid', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const { parameters, requestBody, responses } of operations()) {
    const bodies = [requestBody, ...Object.values(responses)].flatMap((part) =>
      Object.values(part?.content ?? {}),
    )
    for (const { schema } of [...parameters, ...bodies])
      expect(ajv.validateSchema(schema), JSON.stringify(schema)).toBe(true)
  }
})

test('filters, lists and days are described as they are sent', () => {
  const list = document.paths['/api/v1/success-plans']?.get
  const names = list?.parameters.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['page', 'sort', 'filters[title]', 'filters[status][]']),
  )
  expect(list?.parameters.find(({ name }) => name === 'X-organisation')).toMatchObject({
    in: 'header',
    required: true,
  })
  const draft = document.paths['/api/v1/actions']?.post?.requestBody?.content
  expect(draft?.['application/json']?.schema).toMatchObject({
    required: ['title'],
    properties: { due_date: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] } },
  })
})

test('If-Match is offered where it is compared, and nowhere else', () => {
  const offered = operations().filter(({ parameters }) =>
    parameters.some(({ name }) => name === 'If-Match'),
  )
  const nouns = ['SuccessPlan', 'Account', 'Initiative', 'Action', 'Template']
  const compared = nouns.flatMap((noun) => [`update${noun}`, `delete${noun}`])
  expect(offered.map(({ operationId }) => operationId).toSorted()).toEqual(
    [...compared, 'postPlanUpdate'].toSorted(),
  )
  expect(operations().filter(({ responses }) => '412' in responses)).toEqual(offered)
})

test('a response with missing or extra fields, wrong types or status is detected', async () => {
  const path = `/api/v1/success-plans/${await mia.createPlan()}`
  const { text } = await mia.get(path)
  const hold = (change: (plan: Record<string, unknown>) => void, status = 200) => {
    const body = JSON.parse(text) as { data: Record<string, unknown> }
    change(body.data)
    assertMatchesOpenApi('GET', path, {
      status,
      type: 'application/json',
      text: JSON.stringify(body),
    })
  }
  expect(() => hold(() => undefined)).not.toThrow()
  expect(() => hold((plan) => (plan.organisation_id = 'x'))).toThrow('additional properties')
  expect(() => hold((plan) => delete plan.template_id)).toThrow("property 'template_id'")
  expect(() => hold((plan) => (plan.progress = '1'))).toThrow('must be number')
  expect(() => hold(() => undefined, 418)).toThrow('not in the document')
})
