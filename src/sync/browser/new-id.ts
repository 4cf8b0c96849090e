import { v7 } from 'uuid'

/** An id for a record created on this device: UUID v7 (RFC 9562), ordered by creation. */
export const newId = (): string => v7()
