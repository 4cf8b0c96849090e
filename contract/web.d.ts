// The only globals that the contract may use; the DOM's and Node's types are not available here.
declare class URL {
  constructor(url: string)
  readonly href: string
  readonly hostname: string
  readonly password: string
  readonly protocol: string
  readonly username: string
}
declare class URLSearchParams {
  constructor(query: string)
  [Symbol.iterator](): IterableIterator<[string, string]>
}
