// The two web classes that every realm has, and no more: neither the DOM nor Node leaks in here.
declare class URL {
  constructor(url: string)
  readonly protocol: string
}
declare class URLSearchParams {
  constructor(query: string)
  [Symbol.iterator](): IterableIterator<[string, string]>
}
