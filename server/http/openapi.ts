// The endpoint table as an OpenAPI 3.1 document.
import { toJsonSchema, type JsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { ErrorBody, TokenErrorBody } from '../../contract/errors.ts'
import { resourceOf } from '../../contract/resources.ts'
import { Day, Id, Instant, ReadDay, ReadInstant } from '../../contract/schemas/fields.ts'

/**
 * JSON Schema for fields that are checked by code. The key is the first schema of the pipe, which the
 * converter visits.
 */
const SCHEMA_OVERRIDES = new Map<unknown, JsonSchema>([
  [Id.pipe[0], { type: 'string' }],
  [Day.pipe[0], { type: 'string', format: 'date' }],
  [ReadDay.pipe[0], { type: 'string', format: 'date' }],
  [Instant.pipe[0], { type: 'string', format: 'date-time' }],
  [ReadInstant.pipe[0], { type: 'string', format: 'date-time' }],
])

const convert = (schema: v.GenericSchema): JsonSchema => {
  const { $schema: _, ...converted } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema }) => SCHEMA_OVERRIDES.get(valibotSchema),
  })
  return converted
}

/**
 * Schema of a response. Fields with a default are required here: the app tolerates their absence, but
 * this server always sends them.
 */
function responseSchema(schema: JsonSchema): JsonSchema {
  const { default: _, properties, items, anyOf, ...rest } = schema
  const inner = (part: JsonSchema | boolean) =>
    typeof part === 'boolean' ? part : responseSchema(part)
  const required = Object.entries(properties ?? {})
    .filter(([name, part]) => rest.required?.includes(name) || hasDefault(part))
    .map(([name]) => name)
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [name, inner(part)]),
      ),
      required,
    }),
    ...(items && !Array.isArray(items) && { items: inner(items) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
  }
}

const hasDefault = (part: JsonSchema | boolean) => typeof part === 'object' && 'default' in part

const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const COUNT: JsonSchema = { type: 'integer', minimum: 0 }
const LINK: JsonSchema = { anyOf: [{ type: 'string' }, { type: 'null' }] }
const META = object({ current_page: COUNT, last_page: COUNT, per_page: COUNT, total: COUNT })
const LINKS = object({ first: LINK, last: LINK, prev: LINK, next: LINK })

function answerOf({ answer }: Endpoint): JsonSchema | undefined {
  if (answer.shape === 'none') return undefined
  const schema = responseSchema(convert(answer.schema))
  if (answer.shape === 'raw') return schema
  if (answer.shape === 'one') return object({ data: schema })
  return object({ data: { type: 'array', items: schema }, meta: META, links: LINKS })
}

const ERROR = { $ref: '#/components/schemas/Error' }
const ERROR_DESCRIPTIONS: Record<number, string> = {
  400: 'Malformed',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'Not found, or in another organisation',
  409: 'Busy: try again, see Retry-After',
  410: 'Unknown version: start again from 0',
  412: 'Changed meanwhile: `data` is the current record',
  413: 'Larger than the limit of the call',
  415: 'Not JSON',
  422: 'Not valid: `errors` by field',
  429: 'Too many requests, see Retry-After',
  500: 'Internal Server Error',
  503: 'Busy, or a service behind it is not responding, see Retry-After',
}

const isOrganisationScoped = ({ who }: Endpoint) => who !== 'anyone' && who !== 'user'
const isWrite = ({ method }: Endpoint) => method !== 'GET'

/** Whether the call compares `If-Match` with a record: that of a change, or the plan of an update. */
const isCompared = ({ resource, kind }: Endpoint) =>
  resource !== undefined &&
  resourceOf(resource).author !== undefined &&
  (kind === 'update' || kind === 'delete' || kind === 'append')

function errorStatusesOf(name: string, row: Endpoint): number[] {
  const statuses = [500, 503]
  if (row.who !== 'anyone') statuses.push(401, 403, 429)
  if (isOrganisationScoped(row)) statuses.push(400)
  if (row.path.includes('{') || isWrite(row)) statuses.push(404)
  if (row.query) statuses.push(422)
  if (isWrite(row)) statuses.push(400, 403, 409, 422, 429)
  if (row.body) statuses.push(413, 415)
  if (isCompared(row)) statuses.push(412)
  if (name === 'getChanges') statuses.push(410)
  if (name === 'issueToken') statuses.push(401)
  return statuses
}

const json = (schema: object, media = 'application/json') => ({ content: { [media]: { schema } } })

function responsesOf(name: string, row: Endpoint) {
  const schema = answerOf(row)
  const done = { description: 'Done', ...(schema && json(schema, row.media)) }
  const { status = 200 } = row
  const errorSchema = name === 'issueToken' ? { anyOf: [convert(TokenErrorBody), ERROR] } : ERROR
  return {
    [status]: done,
    ...(status === 201 && { 200: { ...done, description: 'The record already existed' } }),
    ...Object.fromEntries(
      errorStatusesOf(name, row).map((status) => [
        status,
        { description: ERROR_DESCRIPTIONS[status], ...json(errorSchema) },
      ]),
    ),
  }
}

const inHeader = (name: string, schema: JsonSchema, required = false) => ({
  name,
  in: 'header',
  required,
  schema,
})
const UUID: JsonSchema = { type: 'string', format: 'uuid' }

/** Query parameters; nested ones are written as `filters[title]` and `filters[status][]`. */
function queryOf(schema: JsonSchema, prefix = ''): object[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, part]) => {
    if (typeof part === 'boolean') return []
    const name = prefix ? `${prefix}[${key}]` : key
    if (part.type === 'object') return queryOf(part, name)
    const isList = part.type === 'array'
    // Numbers in a query string are digits.
    const { anyOf: _, ...bounds } = part
    const typed = part.anyOf ? { ...bounds, type: 'integer' } : part
    const required = schema.required?.includes(key) ?? false
    return [{ name: isList ? `${name}[]` : name, in: 'query', required, schema: typed }]
  })
}

const parametersOf = (row: Endpoint) => [
  ...[...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: UUID,
  })),
  ...(row.query ? queryOf(convert(row.query)) : []),
  ...(isOrganisationScoped(row) ? [inHeader('X-organisation', UUID, true)] : []),
  ...(isWrite(row) && row.who !== 'anyone' ? [inHeader('Idempotency-Key', UUID)] : []),
  ...(isCompared(row) ? [inHeader('If-Match', { type: 'string' })] : []),
]

function operationOf(name: string, row: Endpoint) {
  return {
    operationId: name,
    // Not part of the specification: for servers that announce it.
    ...(row.capability && { 'x-capability': row.capability }),
    security: row.who === 'anyone' ? [] : [{ bearer: [] }],
    parameters: parametersOf(row),
    ...(row.body && { requestBody: { required: true, ...json(convert(row.body)) } }),
    responses: responsesOf(name, row),
  }
}

/** The OpenAPI document of all endpoints in the table. */
export function openApi() {
  const paths: Record<string, Record<string, ReturnType<typeof operationOf>>> = {}
  for (const [name, row] of Object.entries<Endpoint>(endpoints))
    (paths[row.path] ??= {})[row.method.toLowerCase()] = operationOf(name, row)
  return {
    openapi: '3.1.0',
    info: { title: 'Cairn', version: '1', license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { Error: responseSchema(convert(ErrorBody)) },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  }
}
