export { servePush } from './push.routes.ts'
export { queueConfirmPushes, queueResultPushes } from './queue-push.ts'
export { sendDuePushes } from './send-push.ts'
export {
  removeEverySubscription,
  removeSubscriptionsOfSession,
  removeSubscriptionsOfUsers,
} from './subscriptions.store.ts'
