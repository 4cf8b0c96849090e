// Holds every answer of the server suite against the document that the server publishes.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { openApi } from '../../server/openapi.ts'

interface Response {
  content?: Record<string, { schema: object }>
}

const document = openApi()
const routes = Object.entries(document.paths).map(([path, operations]) => ({
  path,
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  operations,
}))
const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false })
const validators = new Map<string, ValidateFunction>()

/** With nothing beside what is said: a field that slipped through is found. */
function withoutExtraFields(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutExtraFields)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, part]) => [key, withoutExtraFields(part)]),
  )
  const isClosed = 'properties' in inner && !('additionalProperties' in inner)
  return isClosed ? { ...inner, additionalProperties: false } : inner
}

/** Throws when the document does not know this answer. Answers of what is no row of the table are nobody's. */
export function assertMatchesOpenApi(
  method: string,
  url: string,
  answer: { status: number; type: string | null; text: string },
): void {
  const { pathname } = new URL(url, 'http://localhost')
  // A path without parameters comes before one that it would match.
  const matching = routes.filter(({ pattern }) => pattern.test(pathname))
  const route = matching.find(({ path }) => path === pathname) ?? matching[0]
  const operation = route?.operations[method.toLowerCase()]
  if (!operation) return
  const name = `${operation.operationId} ${answer.status}`
  const response = (operation.responses as Record<number, Response | undefined>)[answer.status]
  if (!response) throw new Error(`${name} is not in the document: ${answer.text}`)
  const [[media, content] = []] = Object.entries(response.content ?? {})
  if (!media || !content) {
    if (answer.text !== '') throw new Error(`${name} has a body: ${answer.text}`)
    return
  }
  if (answer.type !== media) throw new Error(`${name} comes as ${answer.type}.`)
  if (media !== 'application/json') return
  const schema = withoutExtraFields({
    ...content.schema,
    components: document.components,
  }) as object
  const check = validators.get(name) ?? ajv.compile(schema)
  validators.set(name, check)
  if (!check(JSON.parse(answer.text)))
    throw new Error(`${name}: ${ajv.errorsText(check.errors)} in ${answer.text}`)
}
