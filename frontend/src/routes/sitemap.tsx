export { SitemapPage as default } from "@/features/text/SitemapPage";
