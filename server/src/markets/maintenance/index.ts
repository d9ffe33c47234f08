export { serveMaintenance } from './maintenance.routes.ts'
export {
  beginMaintenanceOfEverything,
  listMaintenances,
  refuseInMaintenance,
  setMaintenance,
} from './maintenance.service.ts'
