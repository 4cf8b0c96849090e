// Addresses of records. Ids of other servers may be any text.

const pathBelow = (list: string) => (id: string) => `/${list}/${encodeURIComponent(id)}`

/** The page of a success plan. */
export const planPath = pathBelow('success-plans')
/** The page of an account. */
export const accountPath = pathBelow('accounts')
