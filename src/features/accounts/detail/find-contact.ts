import type { Account } from '../../../../contract/schemas/accounts.ts'

type Contact = Account['contacts'][number]

const contentOf = (contact: Contact) => JSON.stringify({ ...contact, id: '' })

/** That contact of the account, also under the id that the server has made since. */
export const findContact = ({ contacts }: Account, contact: Contact): Contact | undefined =>
  contacts.find(({ id }) => id === contact.id) ??
  contacts.find((one) => contentOf(one) === contentOf(contact))
