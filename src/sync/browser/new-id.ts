import { v7 } from 'uuid'

/** An id for a record that is made here: RFC 9562, version 7, so that ids are in the order of making. */
export const newId = (): string => v7()
