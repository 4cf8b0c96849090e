/** A website as a URL: users leave out the scheme, so `https://` is added where there is none. */
export const websiteAddress = (typed: string): string =>
  /^[a-z]+:/i.test(typed) ? typed.trim() : `https://${typed.trim()}`
