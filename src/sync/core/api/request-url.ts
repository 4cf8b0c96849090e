import type { ApiCall, CallInput, Ports } from '../ports.ts'

/** Path and query of a call, relative to the API's base URL. */
export function requestUrl(
  call: ApiCall,
  input: CallInput,
  { writeQuery }: Pick<Ports, 'writeQuery'>,
): string {
  const query = input.query ? writeQuery(input.query) : ''
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(input.path?.[name] ?? ''),
  )
  return query ? `${path}?${query}` : path
}
