// The only globals that the contract may use; the DOM's and Node's types are not available here.
declare class URL {
  constructor(url: string)
  readonly href: string
  readonly host: string
  readonly hostname: string
  readonly protocol: string
}
declare class URLSearchParams {
  constructor(query: string)
  [Symbol.iterator](): IterableIterator<[string, string]>
}
