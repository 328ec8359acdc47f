export { TestPayment as default } from "@/features/test-payment/TestPayment";
